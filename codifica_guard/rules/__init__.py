"""The contract of rules: what a rule is, what it is given, what it yields."""
