"""Rules about the target's platform: operating system, driver, cluster and operator."""
