import { setNonce } from 'get-nonce'

/** What styles that are added by script have to show, by the page's Content-Security-Policy. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// What keeps the page still behind a dialog asks there.
setNonce(styleNonce)
