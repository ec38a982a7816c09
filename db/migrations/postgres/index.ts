import type { Migration } from '../migration.ts'
import { initial } from './0001-initial.ts'

/** In order. */
export const migrations: readonly Migration[] = [initial]
