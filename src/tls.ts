import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { BadSetting } from './config.ts'

/** A certificate with its chain, and its key, both in PEM. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
}

/** What the server speaks TLS with, or undefined where it does not. Throws BadSetting where the files do not serve. */
export function readTls({ tlsCert, tlsKey }: { tlsCert?: string; tlsKey?: string }): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) throw new BadSetting('--tls-cert and --tls-key go together')
  const cert = read('--tls-cert', tlsCert)
  const key = read('--tls-key', tlsKey)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new BadSetting(`--tls-cert and --tls-key: ${tlsCert} and ${tlsKey} do not serve: ${(error as Error).message}`)
  }
  return { cert, key }
}

function read(setting: string, file: string) {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new BadSetting(`${setting}: ${file} cannot be read: ${(error as Error).message}`)
  }
}
