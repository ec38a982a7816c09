import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '../styles.css'
import { QueryClient } from '@tanstack/react-query'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { renderPage } from '../page.tsx'
import { LinkPage } from './link-page.tsx'
import { visitOf } from './visit.ts'

// The page of a link: shows its graph to people without an account. It has no cookies and stores nothing, and keeps the secret to
// itself: the fragment of the address reaches no server but in the body of the request that opens the link.

const visit = visitOf(location.pathname.split('/')[2] ?? '', location.hash.slice(1))
// Another secret in the same address is another visit.
addEventListener('hashchange', () => location.reload())

// The address has the secret, so it stays as it is; the view changes in memory, from the one that the address begins with.
const view = memoryLocation({ searchPath: location.search.slice(1) })

renderPage(
  new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } }),
  <Router hook={view.hook} searchHook={view.searchHook}>
    <LinkPage visit={visit} />
  </Router>
)
