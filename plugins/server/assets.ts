import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from '../http/bodies/pieces.ts'
import type { BuiltFiles } from '../http/built-files.ts'
import { loadOnce, readBuilt } from '../http/html-page.ts'
import { acceptsEncoding } from '../http/negotiation.ts'

const pack = promisify(gzip)

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png'
}

/** A file that the server sends. Each function loads its result once. */
export interface Asset {
  type: string
  plain(): Promise<Buffer>
  packed(): Promise<Buffer>
  /** The hash of the uncompressed bytes. */
  hash(): Promise<string>
}

/** Returns the assets by path. `json` is the media type of `.json` files. */
export function assetsOf(files: BuiltFiles, json: string): ReadonlyMap<string, Asset> {
  return new Map([...files.keys()].map((path) => [path, assetOf(files, path, json)]))
}

function assetOf(files: BuiltFiles, path: string, json: string): Asset {
  const extension = extname(path)
  const plain = loadOnce(() => readBuilt(files, path))
  return {
    type: extension === '.json' ? json : (types[extension] ?? 'application/octet-stream'),
    plain,
    // Compressed on the first request, since the highest compression level would delay startup.
    packed: loadOnce(async () => pack(await plain(), { level: constants.Z_BEST_COMPRESSION })),
    hash: loadOnce(async () =>
      createHash('sha256')
        .update(await plain())
        .digest('base64url')
    )
  }
}

/** Sends an asset, in compressed form if the client accepts it. */
export async function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, { type, plain, packed }: Asset) {
  const isPacked = acceptsEncoding('gzip', headers)
  const body = await (isPacked ? packed : plain)()
  if (isPacked) reply.header('content-encoding', 'gzip')
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter((name) => name !== undefined).join(', ')
  reply.header('vary', vary).type(type)
  return sendShared(reply, body)
}
