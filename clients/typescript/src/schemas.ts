import type { components, operations } from './generated.ts'

type Schemas = components['schemas']
export type AuditEvent = Schemas['AuditEvent']
export type Graph = Schemas['Graph']
export type GraphContent = Schemas['GraphContent']
export type GraphRecord = Schemas['GraphRecord']
export type GraphVersion = Schemas['GraphVersion']
export type Group = Schemas['Group']
export type TagCount = Schemas['TagCount']
export type TrashedGraph = Schemas['TrashedGraph']
export type User = Schemas['User']

/** The query parameters of a list, except those for paging and tags. */
type Filters<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]['parameters']['query']>,
  'page' | 'cursor' | 'tags'
>

/** The filters for lists of graphs. A graph matches if it has all of the tags. */
export interface GraphQuery extends Filters<'listGraphs'> {
  tags?: string | readonly string[] | undefined
}
export type AuditQuery = Filters<'listAudits'>
export type GroupQuery = Filters<'listGroups'>
export type TagQuery = Filters<'listTags'>
export type UserQuery = Filters<'listUsers'>
export type VersionQuery = Filters<'listVersions'>

/** The settings for a pushed file, and for the graph that it creates. */
export type PushQuery = Omit<NonNullable<operations['putMyGraphContent']['parameters']['query']>, 'dryRun'>

/** The formats that the server writes. */
export type WrittenFormat = NonNullable<NonNullable<operations['getGraphContent']['parameters']['query']>['format']>
