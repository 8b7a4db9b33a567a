"""The kinds of work of a campaign."""

from tests.campaign.arrays import ARRAYS
from tests.campaign.command_lines import COMMANDS
from tests.campaign.compared import PROGRAMS
from tests.campaign.definitions import DEFINITIONS
from tests.campaign.straight import STRAIGHT
from tests.campaign.texts import TEXTS
from tests.campaign.witness import WITNESSES
from tests.campaign.work import Kind

KINDS: tuple[Kind, ...] = (*PROGRAMS, *DEFINITIONS, *STRAIGHT, *TEXTS, *ARRAYS, *COMMANDS, *WITNESSES)
