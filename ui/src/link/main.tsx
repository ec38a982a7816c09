import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '../styles.css'
import { QueryClient } from '@tanstack/react-query'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { renderPage } from '../page.tsx'
import { LinkPage } from './link-page.tsx'
import { visitOf } from './visit.ts'

// The page of a link, which shows its graph to people without an account. It uses no cookies or storage. The secret is in the
// fragment of the address. It is sent only to this server, in the body of the request that opens the link.

const visit = visitOf(location.pathname.split('/')[2] ?? '', location.hash.slice(1))
// The same address with a different secret is a different visit.
addEventListener('hashchange', () => location.reload())

// The address contains the secret, so it never changes. The view is read from the address once and then changes only in memory.
const view = memoryLocation({ searchPath: location.search.slice(1) })

renderPage(
  new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } }),
  <Router hook={view.hook} searchHook={view.searchHook}>
    <LinkPage visit={visit} />
  </Router>
)
