import { expect, test } from 'vitest'

import { InvalidHostsError, formatHost, parseHosts } from './database-address.ts'

test.each([
  ['postgres://u:p@one:5432,two:5433/db', ['one:5432', 'two:5433'], 'postgres://u:p@one:5432/db'],
  ['postgresql://one,two,three:6000/db?sslmode=disable', ['one:5432', 'two:5432', 'three:6000'], 'postgresql://one/db?sslmode=disable'],
  ['postgres://u:a,b@[::1]:5433,10.0.0.2/db', ['[::1]:5433', '10.0.0.2:5432'], 'postgres://u:a,b@[::1]:5433/db'],
  ['postgres://u:p%2Cq@one,one:5433', ['one:5432', 'one:5433'], 'postgres://u:p%2Cq@one'],
])('%s names several hosts', (address, names, first) => {
  const list = parseHosts(address)
  expect(list?.hosts.map(formatHost)).toEqual(names)
  expect(list?.first).toBe(first)
})

test.each([
  'postgres://u:p@one:5432/db',
  'postgres://u:p,q@one/db',
  'postgres://u:p@/db?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/db',
  'postgres://u:sec/ret@one,two/db',
  'postgres://one/db?options=-c%20search_path=a,b',
])('%s is passed to node-postgres unchanged', (address) => expect(parseHosts(address)).toBeUndefined())

test.each([
  ['postgres://u:secret@one,/db', /^has no host at position 2 of its list\. Example: /],
  ['postgres://u:secret@,two/db', /position 1/],
  ['postgres://u:secret@one:x,two/db', /position 1/],
  ['postgres://u:secret@one,two:70000/db', /position 2/],
  ['postgres://u:secret@one,two:0/db', /position 2/],
  ['postgres://u,u:secret/x@one/db', /position 2/],
  ['postgres://u:secret@one,two,one:5432/db', /^names a host twice$/],
])('the message about %s does not contain the password', (address, mistake) => {
  expect(() => parseHosts(address)).toThrow(InvalidHostsError)
  expect(() => parseHosts(address)).toThrow(mistake)
  expect(() => parseHosts(address)).not.toThrow(/secret/)
})
