import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Link, type LinkPatch, take } from '../api.ts'
import { GRAPHS } from '../graphs/graphs.ts'
import { queries } from '../queries.ts'

const keyOf = (id: number) => [...GRAPHS, 'links', id]
const refresh = (id: number) => queries.invalidateQueries({ queryKey: keyOf(id) })

/** Returns the links of a graph, oldest first. Only the owner and administrators can fetch them. */
export function useLinks(id: number) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => take(api.GET('/api/graphs/{id}/links', { params: { path: { id } }, signal })),
    // Visitors may have opened links since the last fetch.
    staleTime: 0
  })
}

/** Creates a link, or changes an existing one. */
export function useSaveLink(id: number, link: Link | undefined) {
  return useMutation({
    mutationFn: (body: LinkPatch) =>
      take(
        link
          ? api.PATCH('/api/graphs/{id}/links/{linkId}', { params: { path: { id, linkId: link.id } }, body })
          : api.POST('/api/graphs/{id}/links', { params: { path: { id } }, body })
      ),
    onSettled: () => refresh(id)
  })
}

/** Revokes a link. */
export function useRevokeLink(id: number) {
  return useMutation({
    mutationFn: (linkId: number) =>
      take(api.DELETE('/api/graphs/{id}/links/{linkId}', { params: { path: { id, linkId } } })),
    onSettled: () => refresh(id)
  })
}

/** Returns the full address of a link. If the server has no public URL, the browser supplies the origin. */
export function addressOf({ url }: Link): string {
  return new URL(url, location.origin).href
}

/** Returns the sites in a text, which are separated by spaces, commas or line breaks. The address of a page stands for its site. */
export const originsIn = (text: string) =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(originOf)

function originOf(site: string): string {
  return /^https?:/i.test(site) && URL.canParse(site) ? new URL(site).origin : site
}

/** Returns whether the server knows its public URL, without which pages that mention a link show no preview. */
export function hasPublicUrl({ url }: Link): boolean {
  return URL.canParse(url)
}

/** Returns the HTML that embeds a link in a page. */
export function frameOf(link: Link, title: string): string {
  const attributes = {
    src: addressOf(link),
    title,
    width: '800',
    height: '600',
    style: 'border: 0',
    loading: 'lazy',
    referrerpolicy: 'no-referrer'
  }
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`)
  return `<iframe ${written.join(' ')}></iframe>`
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
