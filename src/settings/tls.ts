import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { TlsFiles } from '../../plugins/http/connections/server.ts'
import { BadSetting } from './config.ts'

/**
 * The TLS versions and ciphers, as in Mozilla's "intermediate" configuration. All of them provide forward secrecy and
 * authenticated encryption.
 */
const OFFERED = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305'
  ].join(':')
} as const

/** Reads the certificate and key. Returns undefined if TLS is not configured. Throws BadSetting if the files cannot be used. */
export function readTls({ tlsCert, tlsKey }: { tlsCert?: string; tlsKey?: string }): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new BadSetting('--tls-cert and --tls-key must be used together')
  const cert = read('--tls-cert', tlsCert)
  const key = read('--tls-key', tlsKey)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new BadSetting(
      `--tls-cert and --tls-key: ${tlsCert} and ${tlsKey} cannot be used: ${(error as Error).message}`
    )
  }
  return { cert, key, ...OFFERED }
}

function read(setting: string, file: string) {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new BadSetting(`${setting}: ${file} cannot be read: ${(error as Error).message}`)
  }
}
