from __future__ import annotations

import json
from typing import Any

import pytest
from engines.core import texts
from engines.core.console import Console
from tests.core.toy import GAME
