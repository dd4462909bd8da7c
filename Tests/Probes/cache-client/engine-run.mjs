// Runs the tests of the original engine with the rules for browsers, and prints the results as
// they are published. See README.md.
//
//     node engine-run.mjs <checkout of cache-tests> <URL of its server> [private | id …]

import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
if (process.env.CACHE_CLIENT) await import('./engine-fetch.mjs')

const [folder, base, ...chosen] = process.argv.slice(2)
const load = file => import(pathToFileURL(path.resolve(folder, file)))
const { default: suites } = await load('tests/index.mjs')
const config = await load('test-engine/client/config.mjs')
const { makeTest, testResults } = await load('test-engine/client/test.mjs')

config.setBaseUrl(base)
config.setUseBrowserCache(true)
const tests = suites.flatMap(suite => suite.tests).filter(test => {
  if (chosen[0] === 'private') return !test.cdn_only && !test.browser_skip
  return chosen.length === 0 || chosen.includes(test.id)
})

// Most tests wait, so that many can run at a time.
const queue = [...tests]
await Promise.all(Array.from({ length: 50 }, async () => {
  while (queue.length > 0) await makeTest(queue.shift())
}))
const ids = Object.keys(testResults).sort()
console.log(JSON.stringify(Object.fromEntries(ids.map(id => [id, testResults[id]])), null, 2))
process.exit(0)
