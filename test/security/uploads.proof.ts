import { uploadPicture } from '../../src/contract/pictures.ts'
import { listPeople } from '../../src/records/people/contract.ts'
import { HOSTILE_SHEETS } from '../support/hostile-sheets.ts'
import { readMemoryMegabytes } from '../support/process-memory.ts'
import { runProof } from '../support/proof.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'
import { MAX_MEGABYTES_OVER_IDLE, measureSheets } from '../support/sheet-memory.ts'
import { HOSTILE_UPLOADS } from './uploads/hostile-uploads.ts'
import { checkUpload, PICTURE_TYPES, uploadEndlessly } from './uploads/upload-check.ts'

// Malicious uploads: refused with a message, or nothing harmful remains; the server keeps running with little memory.

/** The longest duration of an upload: a minute, plus half a minute between two checks for late ones. */
const MAX_UPLOAD_SECONDS = 100
/** Two decoded pictures of 50 million pixels at a time, with four bytes each, and what encoding them takes. */
const MAX_MEMORY_MB = 900
const AT_ONCE = 8

/** Pictures of types that no test uploads; the sample network has some. */
const countOtherPictures = async ({ db }: TestServer): Promise<number> =>
  (await db.selectFrom('picture').select('type').execute()).filter(({ type }) => !PICTURE_TYPES.has(type)).length

await runProof('uploads', async ({ log, report, expectEqual, expectNone, expectAtMost }) => {
  await using server = await startServer()
  const sheets = await measureSheets(server, HOSTILE_SHEETS)
  for (const { what, megabytesAlone, megabytesAtOnce } of sheets)
    log(`  ${what}: ${megabytesAlone} MB, three at once ${megabytesAtOnce} MB`)
  report('Sheets that expand to much more than their size', sheets.length)
  expectNone(
    'Answered otherwise than expected',
    sheets.flatMap(({ what, wrong }) => wrong.map((one) => `${what}: ${one}`)),
  )
  const getMost = (numbers: readonly number[]): number => Math.max(...numbers)
  expectAtMost('Memory over idle of one', getMost(sheets.map((one) => one.megabytesAlone)), MAX_MEGABYTES_OVER_IDLE, 'MB')
  expectAtMost('Memory over idle of three at once', getMost(sheets.map((one) => one.megabytesAtOnce)), MAX_MEGABYTES_OVER_IDLE, 'MB')

  const { headers } = await signInAt(server, 6)
  const isAlive = async (): Promise<boolean> => (await fetch(`${server.url}${listPeople.path}`, { headers })).ok
  const others = await countOtherPictures(server)
  const slow = uploadEndlessly(server.url, headers, 2 * MAX_UPLOAD_SECONDS)
  const counted = { refused: 0, kept: 0, failed: 0 }
  let [failures, dead] = [0, 0]
  for (const upload of HOSTILE_UPLOADS) {
    const { outcome, wrong } = await checkUpload(server.url, headers, upload)
    counted[outcome]++
    failures += wrong.length
    log(`  ${outcome}: ${upload.what}${wrong.map((one) => ` | ${one}`).join('')}`)
    if (!(await isAlive())) dead++
  }
  report('Hostile uploads', HOSTILE_UPLOADS.length)
  report('Refused with a 4xx and a message', counted.refused)
  report('Stored as a re-encoded picture', counted.kept)
  expectEqual('Answered otherwise', counted.failed, 0)
  expectEqual('Failed checks of the stored pictures', failures, 0)

  // All of them again, several at a time, from a client that does not wait.
  const again = await signInAt(server, 6)
  const wrongAgain: string[] = []
  await runConcurrently(HOSTILE_UPLOADS, AT_ONCE, async (upload) => {
    wrongAgain.push(...(await checkUpload(server.url, again.headers, upload)).wrong)
  })
  expectNone(`The same, ${AT_ONCE} at a time`, wrongAgain)

  const { seconds, status } = await slow
  expectAtMost('An upload without an end is cut off after', seconds, MAX_UPLOAD_SECONDS, 's')
  report('Its response', status)
  if (!(await isAlive())) dead++
  expectEqual('Times the server did not answer a list afterwards', dead, 0)
  expectEqual('Pictures stored as anything but JPEG, PNG or icon', (await countOtherPictures(server)) - others, 0)
  expectAtMost('Memory of the server at most', Math.round(readMemoryMegabytes(server.program.child.pid, 'VmHWM')), MAX_MEMORY_MB, 'MB')
  const errors = server.program.errors().match(/^.*(Error|error).*$/gm) ?? []
  expectNone(`Errors that the server logged about ${uploadPicture.path}`, errors)
})
