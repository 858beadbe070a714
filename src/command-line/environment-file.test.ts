import { spawnSync } from 'node:child_process'
import { parseEnv } from 'node:util'

import { expect, test } from 'vitest'

import { parseEnvironmentFile } from './environment-file.ts'

const valueOf = (written: string): string | undefined => parseEnvironmentFile(`NAME=${written}\n`).variables['NAME']

test.each([
  ['plain', 'plain'],
  ['a@x, b@x', 'a@x, b@x'],
  ['Homeroom <h@x>', 'Homeroom <h@x>'],
  ['postgres://h/db?a=1&b=$2', 'postgres://h/db?a=1&b=$2'],
  ['  blanks around  ', 'blanks around'],
  ['C:\\folder\\', 'C:\\folder\\'],
  ["it's", "it's"],
  ['', ''],
  ['   # openssl rand -base64 24', ''],
  ['value # a comment', 'value'],
  ['value#no comment', 'value#no comment'],
  ["'Homeroom <h@x>'  ", 'Homeroom <h@x>'],
  ["'a # b'", 'a # b'],
  ["'a' # a comment", 'a'],
  ["' blanks kept '", ' blanks kept '],
  ["'$HOME \\ \"'", '$HOME \\ "'],
  ['"$HOME and `date`"', '$HOME and `date`'],
  ['"a \\"b\\" \\\\ \\$c \\n"', 'a "b" \\ $c \\n'],
])('%j is read as %j', (written, value) => expect(valueOf(written)).toBe(value))

test('comments, empty lines, spaces around the equals sign, export and CRLF line ends are accepted; the last value of a name is used', () => {
  const text = '\uFEFF# first\r\n\r\n  A=1\r\nB = 2\nexport C=3\n#D=4\nA=5'
  expect(parseEnvironmentFile(text)).toEqual({ variables: { A: '5', B: '2', C: '3' }, wrongLines: [] })
})

test.each([
  ["A=1\nSECRET='tZ9", 'line 2 (SECRET): the closing quotation mark is missing'],
  ['SECRET="tZ9', 'line 1 (SECRET): the closing quotation mark is missing'],
  ["SECRET='tZ9'\\''x'", 'line 1 (SECRET): only a comment (#) may follow the closing quotation mark'],
  ['\n\ntZ9', 'line 3 is neither NAME=VALUE nor a comment (#)'],
  ['1A=tZ9', 'line 1 is neither NAME=VALUE nor a comment (#)'],
])('%j is refused without showing its value', (text, message) => {
  expect(parseEnvironmentFile(text).wrongLines.map((line) => line.message)).toEqual([message])
})

test('all wrong lines are listed together, and the other lines are read', () => {
  const { variables, wrongLines } = parseEnvironmentFile('PORT=\'3000\nnonsense\nHOST=127.0.0.1\nSECRET="x" y\n')
  expect(wrongLines.map(({ name }) => name)).toEqual(['PORT', undefined, 'SECRET'])
  expect(variables).toEqual({ HOST: '127.0.0.1' })
})

test('a shell and Node read a value in single quotation marks the same way', () => {
  const values = { A: 'Homeroom <h@x>', B: 'a & b; c | d', C: '$HOME `date` "x" \\n', D: '# no comment', E: 'pg://u:p%27@h/d?a=1&b=2' }
  const text = Object.entries(values)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
  expect(parseEnvironmentFile(text).variables).toEqual(values)
  expect(parseEnv(text)).toEqual(values)
  const { stdout } = spawnSync('/bin/sh', ['-c', 'set -a; eval "$1"; exec env -0', 'sh', text], { encoding: 'utf8', env: {} })
  const shell = Object.fromEntries(stdout.split('\0').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
  expect(shell).toMatchObject(values)
})
