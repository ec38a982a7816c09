import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Toasts } from './shared/toasts.tsx'
import { language } from './text/index.ts'
import { cssVariables, theme } from './theme.ts'

/** The nonce that the Content-Security-Policy requires for styles that scripts add. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// Passes the nonce to the library that locks scrolling behind dialogs.
setNonce(styleNonce)

/** Renders a page with the theme, notifications and queries. */
export function renderPage(queries: QueryClient, content: ReactNode) {
  document.documentElement.lang = language
  createRoot(document.getElementById('app') as HTMLElement).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queries}>
          {content}
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
