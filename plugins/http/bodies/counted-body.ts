import { type Readable, Transform } from 'node:stream'

/** Counts the bytes of a chunk. If it throws, the body is aborted. */
type Count = (bytes: number) => void

/** Returns a stream into which the caller pipes the body. The stream counts the bytes, and calls `onEnd` after the last one. */
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
  // If the request is refused before its body is read, there is no other listener, and an unhandled error would crash the
  // process.
  counted.on('error', () => {})
  body.on('error', (error) => counted.destroy(error))
  return counted
}
