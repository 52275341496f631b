"""`ci`, and the reports that runs of CI leave."""
