"""Services reached over HTTP: the rooms API and a weather API of Open-Meteo's shape. Nothing else lives here."""

from booking_bot.adapters.http.caller import HttpLimits
from booking_bot.adapters.http.rooms import HttpRooms
from booking_bot.adapters.http.weather import OpenMeteoWeather

__all__ = ["HttpLimits", "HttpRooms", "OpenMeteoWeather"]
