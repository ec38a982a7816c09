import { type Readable, Transform } from 'node:stream'

/** Counts the bytes of a chunk. An error that it throws ends the body. */
type Count = (bytes: number) => void

/** Returns a stream into which the caller pipes the body. It counts the bytes, and calls `onEnd` after the last one. */
export function countedBody(body: Readable, count: Count, onEnd: () => void = () => {}): Transform {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      try {
        count(chunk.length)
        next(null, chunk)
      } catch (error) {
        next(error as Error)
      }
    },
    flush(done) {
      onEnd()
      done()
    }
  })
  // A request that is refused unread has no parser, and an error without a listener ends the process.
  counted.on('error', () => {})
  body.on('error', (error) => counted.destroy(error))
  return counted
}
