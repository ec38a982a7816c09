import type { components } from '../../generated/api.d.ts'

// The page of a link: shows its graph to people without an account. It has no cookies, and keeps the secret to itself: the fragment
// of the address reaches no server but in the body of the request that opens the link.

type LinkedGraph = components['schemas']['LinkedGraph']
type LinkToken = components['schemas']['LinkToken']

/** Sends a request for the link without cookies. Returns the answer; throws its title if it is a problem. */
async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const publicId = location.pathname.split('/')[2] ?? ''
  const response = await fetch(`/api/links/${publicId}/${path}`, { ...init, credentials: 'omit' })
  const body = await response.json()
  if (!response.ok) throw new Error(body.title)
  return body
}

/** Opens the link with the secret of the address. Returns its graph. */
async function openLink(): Promise<LinkedGraph> {
  const { token } = await ask<LinkToken>('open', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: location.hash.slice(1) })
  })
  return ask<LinkedGraph>('graph', { headers: { authorization: `Bearer ${token}` } })
}

const heading = document.createElement('h1')
document.getElementById('app')?.append(heading)
try {
  const graph = await openLink()
  document.title = `${graph.name} – Graphstead`
  heading.textContent = graph.name
} catch (error) {
  heading.textContent = (error as Error).message
}
