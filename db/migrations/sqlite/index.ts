import type { Migration } from '../migration.ts'
import { initial } from './0001-initial.ts'
import { history } from './0002-history.ts'
import { attempts } from './0003-attempts.ts'
import { endedSessions } from './0004-ended-sessions.ts'
import { clock } from './0005-clock.ts'
import { usage } from './0006-usage.ts'
import { givenPasswords } from './0007-given-passwords.ts'
import { sessions } from './0008-sessions.ts'
import { groups } from './0009-groups.ts'
import { programs } from './0010-programs.ts'
import { search } from './0011-search.ts'
import { auditLog } from './0012-audit-log.ts'
import { searchPages } from './0013-search-pages.ts'
import { savedViews } from './0014-saved-views.ts'
import { links } from './0015-links.ts'
import { identities } from './0016-identities.ts'
import { secondFactors } from './0017-second-factors.ts'
import { linkPreviews } from './0018-link-previews.ts'

/** In order. */
export const migrations: readonly Migration[] = [
  initial,
  history,
  attempts,
  endedSessions,
  clock,
  usage,
  givenPasswords,
  sessions,
  groups,
  programs,
  search,
  auditLog,
  searchPages,
  savedViews,
  links,
  identities,
  secondFactors,
  linkPreviews
]
