import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { TemporaryFile } from './temporary-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'))
})
afterEach(() => rm(folder, { recursive: true }))

const textOf = async (chunks: AsyncIterable<Buffer>): Promise<string> => Buffer.concat(await Array.fromAsync(chunks)).toString()

test('is written to its end while no one reads, and read completely afterward', async () => {
  const spool = await TemporaryFile.open(folder)
  async function* chunks() {
    for (let at = 0; at < 100; at++) yield Buffer.from(`${at},`.repeat(1000))
  }
  await spool.fill(chunks())
  const expected = Array.from({ length: 100 }, (_, at) => `${at},`.repeat(1000)).join('')
  expect(await textOf(spool.read())).toBe(expected)
  spool.close()
})

test('is read while it is being written', async () => {
  const spool = await TemporaryFile.open(folder)
  let resume: () => void = () => {}
  const pause = new Promise<void>((resolve) => (resume = resolve))
  async function* chunks() {
    yield Buffer.from('first')
    await pause
    yield Buffer.from(' second')
  }
  const filling = spool.fill(chunks())
  const reading = spool.read()
  expect(String((await reading.next()).value)).toBe('first')
  resume()
  expect(await textOf(reading)).toBe(' second')
  await filling
  spool.close()
})

test('passes a write error to the reader', async () => {
  const spool = await TemporaryFile.open(folder)
  // oxlint-disable-next-line require-yield -- it fails before its first chunk
  async function* chunks(): AsyncGenerator<Buffer> {
    throw new Error('The database is gone')
  }
  await spool.fill(chunks())
  await expect(textOf(spool.read())).rejects.toThrow('The database is gone')
  spool.close()
})

test('leaves nothing on the disk, and is no longer written once it is closed', async () => {
  const spool = await TemporaryFile.open(folder)
  expect(await readdir(folder)).toEqual([])
  let made = 0
  async function* chunks() {
    for (; made < 1000; made++) {
      yield Buffer.from('x')
      if (made === 3) spool.close()
    }
  }
  await spool.fill(chunks())
  expect(made).toBeLessThan(10)
})
