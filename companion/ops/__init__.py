"""Keep a table running: doctor, backup, updates, shutdown, power, systemd, network addresses.

May import devices and below. Enter at `doctor.examiner.Examiner` and `backup.backup`.
"""
