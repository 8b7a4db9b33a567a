"""The kinds of work of a campaign."""

from campaign.compared import PROGRAMS
from campaign.work import Kind

KINDS: tuple[Kind, ...] = (*PROGRAMS,)
