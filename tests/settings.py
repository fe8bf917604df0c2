"""The product's settings, kept away from anyone's register: data in a folder that goes when the run ends."""

import atexit
import os
import shutil
import tempfile

if "PORTABILITY_TEST_RUN" not in os.environ:  # a worker of the run shares the folder of its parent
    os.environ["PORTABILITY_TEST_RUN"] = tempfile.mkdtemp(prefix="portability-test-")
    atexit.register(shutil.rmtree, os.environ["PORTABILITY_TEST_RUN"], ignore_errors=True)
os.environ["PORTABILITY_DATA_DIR"] = os.environ["PORTABILITY_TEST_RUN"]
os.environ.pop("PORTABILITY_REGISTER", None)

from portability.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # real ones are slow on purpose
