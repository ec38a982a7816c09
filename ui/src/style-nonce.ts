import { setNonce } from 'get-nonce'

/** The nonce that the page's Content-Security-Policy requires of styles added by script. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// The library that locks scrolling behind dialogs reads it from there.
setNonce(styleNonce)
