// A `fetch` that sends through the program cache-client, for the original engine of the public HTTP
// cache tests. Importing this module replaces the global `fetch`, and stands in for `undici`, which
// the engine uses to see interim responses. See README.md.

import { spawn } from 'node:child_process'
import { register } from 'node:module'
import { createInterface } from 'node:readline'
import process from 'node:process'

const program = process.env.CACHE_CLIENT
if (!program) throw new Error('CACHE_CLIENT must be the path of the program cache-client')

const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = new Map()
let lastID = 0

// The program keeps Node.js alive only while a response is awaited.
function updateReferences () {
  for (const handle of [child, child.stdout]) {
    if (waiting.size > 0) handle.ref()
    else handle.unref()
  }
}
updateReferences()

createInterface({ input: child.stdout }).on('line', line => {
  const reply = JSON.parse(line)
  const waiter = waiting.get(reply.id)
  waiting.delete(reply.id)
  updateReferences()
  waiter?.(reply)
})
child.on('exit', () => {
  for (const waiter of waiting.values()) waiter({ error: 'cache-client has ended' })
  waiting.clear()
})

function exchange (request) {
  const id = ++lastID
  return new Promise(resolve => {
    waiting.set(id, resolve)
    updateReferences()
    child.stdin.write(JSON.stringify({ id, ...request }) + '\n')
  })
}

// Not `Response`, which refuses a status such as 999.
class Reply {
  constructor (reply) {
    this.status = reply.status
    this.statusText = reply.statusText
    this.url = reply.url
    this.ok = reply.status >= 200 && reply.status < 300
    this.headers = new Headers()
    for (const [name, value] of reply.headers) this.headers.append(name, value)
    this.bytes = Buffer.from(reply.body_b64 ?? '', 'base64')
  }

  async text () { return new TextDecoder().decode(this.bytes) }
  async json () { return JSON.parse(await this.text()) }
  async arrayBuffer () { return Uint8Array.from(this.bytes).buffer }
}

// Normalizes a request as the Fetch Standard does, and sends it. Redirects are not followed.
export async function engineFetch (url, init = {}) {
  const headers = []
  const sent = new Headers(init.headers)
  for (const pair of sent) headers.push(pair)
  if (typeof init.body === 'string' && !sent.has('content-type')) {
    headers.push(['content-type', 'text/plain;charset=UTF-8'])
  }
  const request = {
    session: init.session ?? '',
    method: init.method ?? 'GET',
    url: String(url),
    headers,
    cache: init.cache ?? 'default'
  }
  if (init.body != null) request.body_b64 = Buffer.from(init.body).toString('base64')

  const aborted = new Promise((resolve, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal.reason))
  })
  const reply = await Promise.race([exchange(request), aborted])
  if (reply.error !== undefined) throw new TypeError('fetch failed: ' + reply.error)
  init.dispatcher?.deliver?.(reply.interim ?? [])
  return new Reply(reply)
}

// The part of `undici` that the engine uses: an agent that shows interim responses to an
// interceptor.
export class Agent {
  compose (interceptor) {
    const deliver = interim => {
      const dispatch = (options, handler) => {
        for (const [status, pairs] of interim) {
          const headers = Object.fromEntries(pairs.map(([n, v]) => [n.toLowerCase(), v]))
          handler.onResponseStart?.({}, status, headers, '')
        }
        return true
      }
      interceptor(dispatch)({}, {})
    }
    return { deliver }
  }
}

const hook = `export async function resolve (name, context, next) {
  if (name === 'undici') return { url: ${JSON.stringify(import.meta.url)}, shortCircuit: true }
  return next(name, context)
}`
register('data:text/javascript,' + encodeURIComponent(hook))
globalThis.fetch = engineFetch
