import type { Migration } from '../migration.ts'
import { initial } from './0001-initial.ts'
import { endedSessions } from './0002-ended-sessions.ts'
import { clock } from './0003-clock.ts'
import { usage } from './0004-usage.ts'
import { counters } from './0005-counters.ts'
import { givenPasswords } from './0006-given-passwords.ts'
import { sessions } from './0007-sessions.ts'
import { groups } from './0008-groups.ts'
import { programs } from './0009-programs.ts'
import { search } from './0010-search.ts'
import { auditLog } from './0011-audit-log.ts'
import { savedViews } from './0012-saved-views.ts'
import { links } from './0013-links.ts'
import { identities } from './0014-identities.ts'
import { secondFactors } from './0015-second-factors.ts'
import { linkPreviews } from './0016-link-previews.ts'

/** In order. */
export const migrations: readonly Migration[] = [
  initial,
  endedSessions,
  clock,
  usage,
  counters,
  givenPasswords,
  sessions,
  groups,
  programs,
  search,
  auditLog,
  savedViews,
  links,
  identities,
  secondFactors,
  linkPreviews
]
