"""The reasoning planner: prompt, parse, legal actions, budgets. Pure but for the model behind its port."""
