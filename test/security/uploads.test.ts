import { expect, test } from 'vitest'

import { listPeople } from '../../src/records/people/contract.ts'
import { startApp } from '../support/app.ts'
import { HOSTILE_UPLOADS } from './uploads/hostile-uploads.ts'
import { checkUpload } from './uploads/upload-check.ts'

test('hostile uploads are refused in words, or nothing harmful is left of them, and the server continues', async () => {
  const { app, context, as } = await startApp()
  const url = await app.listen({ port: 0, host: new URL(context.configuration.publicUrl).hostname })
  const headers = await as(6).headers()
  const outcomes = new Map<string, string>()
  for (const upload of HOSTILE_UPLOADS) {
    const { outcome, wrong } = await checkUpload(url, headers, upload)
    outcomes.set(upload.what, outcome)
    expect(wrong, upload.what).toEqual([])
    expect((await fetch(`${url}${listPeople.path}`, { headers })).status, `after ${upload.what}`).toBe(200)
  }
  expect(outcomes.size).toBe(HOSTILE_UPLOADS.length)
  expect(new Set(outcomes.values())).toEqual(new Set(['refused', 'kept']))
}, 180_000)
