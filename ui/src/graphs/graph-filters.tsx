import { Group, SegmentedControl } from '@mantine/core'
import { useAccount } from '../account/account.ts'
import { useSearchOf } from '../search/page-search.ts'
import { type ListState, useListState } from '../shared/list-state.ts'
import { TextFilter } from '../shared/text-filter.tsx'
import { text } from '../text/index.ts'
import { tagsOf } from './tags.ts'
import { TagsField } from './tags-field.tsx'

/** The default sort order of the list of graphs. */
export const DEFAULT_SORT = 'updatedAt,desc'

/** The filters by owner and by the user's access. Administrators have full access to every graph. */
const choices = { all: {}, mine: {}, edit: { access: 'WRITE' }, view: { access: 'READ' } } as const

/**
 * Returns the filters for the list of graphs, which are stored in the address, and the resulting query. The search of the header
 * sets the text.
 */
export function useGraphFilters() {
  const { login, role } = useAccount()
  const list = useListState(DEFAULT_SORT)
  const isAdministrator = role === 'ADMIN'
  const wanted = list.get('whose') ?? 'all'
  const whose = isChoice(wanted) && !(isAdministrator && 'access' in choices[wanted]) ? wanted : 'all'
  const [q, type, tags] = [list.get('q'), list.get('type'), list.get('tags')]
  useSearchOf({ kind: 'list', text: q ?? '', onType: (text) => list.set({ q: text }) })
  return {
    list,
    whose,
    query: {
      ...list.query,
      ...(q && { q }),
      ...(type && { type }),
      ...(tags && { tags }),
      ...(whose === 'mine' && { owner: login }),
      ...choices[whose]
    },
    isFiltered: whose !== 'all' || q !== undefined || type !== undefined || tags !== undefined,
    clear: () => list.set({ q: undefined, type: undefined, tags: undefined, whose: undefined })
  }
}

function isChoice(value: string): value is keyof typeof choices {
  return Object.hasOwn(choices, value)
}

/** The fields for the filters. */
export function GraphFilters({ list, whose }: { list: ListState; whose: keyof typeof choices }) {
  const isAdministrator = useAccount().role === 'ADMIN'
  const tags = list.get('tags')
  return (
    <Group mb="md" gap="sm">
      <SegmentedControl
        aria-label={text.graphs.whose}
        className="choices"
        value={whose}
        onChange={(value) => list.set({ whose: value === 'all' ? undefined : value })}
        data={[
          { value: 'all', label: isAdministrator ? text.graphs.everybodys : text.graphs.all },
          { value: 'mine', label: text.graphs.mine },
          ...(isAdministrator
            ? []
            : [
                { value: 'edit', label: text.graphs.toEdit },
                { value: 'view', label: text.graphs.toView }
              ])
        ]}
      />
      <TextFilter
        aria-label={text.graphs.type}
        placeholder={text.graphs.type}
        maxLength={64}
        value={list.get('type')}
        onChange={(value) => list.set({ type: value })}
      />
      <TagsField
        aria-label={text.graphs.tags}
        placeholder={tags ? '' : text.graphs.tags}
        value={tagsOf(tags ?? '')}
        onChange={(tags) => list.set({ tags: tags.join(',') })}
        className="growing"
        maw={360}
      />
    </Group>
  )
}
