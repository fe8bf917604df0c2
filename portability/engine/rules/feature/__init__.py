"""Rules about what a workload serves: model kind, features, quantization and engine."""
