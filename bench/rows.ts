import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import Database from 'better-sqlite3'

// A bare server that streams the rows of audit events as lines of JSON from a cursor, without proofs.

const [port, file = ''] = process.argv.slice(2)
const database = new Database(file, { readonly: true })

function* lines() {
  let text = ''
  for (const row of database.prepare('SELECT * FROM "auditEvent" ORDER BY "id"').iterate()) {
    const { request, data, ...others } = row as { request: string; data: string }
    text += `${JSON.stringify({ ...others, request: JSON.parse(request), data: JSON.parse(data) })}\n`
    if (text.length < 64 * 1024) continue
    yield text
    text = ''
  }
  yield text
}

createServer(({ url }, response) => {
  if (url === '/readyz') response.writeHead(200, { 'content-length': '0' }).end()
  else Readable.from(lines(), { objectMode: false }).pipe(response)
}).listen(Number(port), '127.0.0.1')
