// The baseline of all figures: a plain node:http server that answers every request with the bytes of a file, or with 304 to a conditional request.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file = '', encoding = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const headers = {
  'content-type': 'application/json; charset=utf-8',
  etag: '"bare"',
  ...(encoding === '' ? {} : { 'content-encoding': encoding }),
}

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === '"bare"') {
    response.writeHead(304, { etag: '"bare"' }).end()
    return
  }
  response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`Port: ${typeof address === 'object' ? address?.port : ''}\n`)
})
