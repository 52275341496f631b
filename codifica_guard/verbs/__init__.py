"""What the verbs do: they read the tasks of the remote's coordination branch, make the legal change as a signed commit, and push it."""
