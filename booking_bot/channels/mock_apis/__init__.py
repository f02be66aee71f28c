"""The server behind `booking-bot mock-apis`: a rooms API and a weather API over HTTP that fail on request."""

from booking_bot.channels.mock_apis.faults import Fault, FaultPlan, Plan
from booking_bot.channels.mock_apis.server import MockApis, serve_mock_apis

__all__ = ["Fault", "FaultPlan", "MockApis", "Plan", "serve_mock_apis"]
