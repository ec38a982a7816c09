import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '../styles.css'
import { QueryClient } from '@tanstack/react-query'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { renderPage } from '../page.tsx'
import { LinkPage } from './link-page.tsx'
import { visitOf } from './visit.ts'

// The page of a link, which shows a graph to people without an account. The page uses no cookies or storage. The secret is in
// the fragment of the address, and is sent only to this server, in the body of the request that opens the link.

const visit = visitOf(location.pathname.split('/')[2] ?? '', location.hash.slice(1))
// A different secret means a different visit.
addEventListener('hashchange', () => location.reload())

// The address contains the secret, so the app never changes it. The view is read from the address once, and then changes only
// in memory.
const view = memoryLocation({ searchPath: location.search.slice(1) })

renderPage(
  new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } }),
  <Router hook={view.hook} searchHook={view.searchHook}>
    <LinkPage visit={visit} />
  </Router>
)
