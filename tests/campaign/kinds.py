"""The kinds of work of a campaign."""

from campaign.arrays import ARRAYS
from campaign.command_lines import COMMANDS
from campaign.compared import PROGRAMS
from campaign.texts import TEXTS
from campaign.witness import WITNESSES
from campaign.work import Kind

KINDS: tuple[Kind, ...] = (*PROGRAMS, *TEXTS, *ARRAYS, *COMMANDS, *WITNESSES)
