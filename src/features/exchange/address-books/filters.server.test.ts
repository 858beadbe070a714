import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { connectDevice } from '../../../../test/support/dav.ts'

let phone: Awaited<ReturnType<typeof connectDevice>>
let names: ReadonlyMap<string, string>

const PEOPLE = {
  ada: { name: 'Ada Quill', email: 'ada@schools.test', phone: '209-555-0142', fax: '2095550143' },
  bert: { name: 'Bert Ångström', email: 'bert@other.test', phone: null, fax: null },
  cleo: { name: 'Cleo Adams', email: null, phone: '916-555-0100', fax: null },
}

beforeAll(async () => {
  const app: TestApp = await startApp()
  const found = new Map<string, string>()
  for (const [key, given] of Object.entries(PEOPLE)) found.set(`person-${(await app.make.person(given))._id}`, key)
  names = found
  phone = await connectDevice(app, app.as(10))
})

/** Who a query finds. */
const find = async (filter: string, more = '') => {
  const responses = await phone.query(`${phone.home}all-staff/`, filter, more)
  return responses.map(({ href, status }) => (status === 507 ? 'more' : names.get(/([^/]+)\.vcf$/.exec(href)?.[1] ?? ''))).toSorted()
}
const prop = (name: string, content: string, attributes = '') => `<C:prop-filter name="${name}" ${attributes}>${content}</C:prop-filter>`
const match = (text: string, attributes = '') => `<C:text-match ${attributes}>${text}</C:text-match>`
const filter = (content: string, attributes = '') => `<C:filter ${attributes}>${content}</C:filter>`

const everyone = ['ada', 'bert', 'cleo']

describe('a query finds cards', () => {
  test.each([
    ['without a filter', '', everyone],
    ['with an empty filter', filter(''), everyone],
    ['that have a property', filter(prop('EMAIL', '')), ['ada', 'bert']],
    ['that have a property, by its name in any case and with a group', filter(prop('item1.email', '')), ['ada', 'bert']],
    ['that lack a property', filter(prop('EMAIL', '<C:is-not-defined/>')), ['cleo']],
    ['with a property that no card has', filter(prop('BDAY', '')), []],
    ['without a property that no card has', filter(prop('BDAY', '<C:is-not-defined/>')), everyone],
    ['that contain a text, in any case', filter(prop('FN', match('aDa'))), ['ada', 'cleo']],
    ['by the parts of a name', filter(prop('N', match('Quill', 'match-type="starts-with"'))), ['ada']],
    ['that start with a text', filter(prop('FN', match('ada', 'match-type="starts-with"'))), ['ada']],
    ['that end with a text', filter(prop('FN', match('adams', 'match-type="ends-with"'))), ['cleo']],
    ['that equal a text', filter(prop('FN', match('ada quill', 'match-type="equals"'))), ['ada']],
    ['that do not contain a text', filter(prop('FN', match('ada', 'negate-condition="yes"'))), ['bert']],
    ['with letters of any language', filter(prop('FN', match('ångSTRÖM', 'collation="i;unicode-casemap"'))), ['bert']],
    ['with the case of ASCII letters only', filter(prop('FN', match('ÅNGSTRÖM', 'collation="i;ascii-casemap"'))), []],
    ['octet by octet', filter(prop('FN', match('ada', 'collation="i;octet"'))), []],
    ['octet by octet, in the same case', filter(prop('FN', match('Ada', 'collation="i;octet"'))), ['ada', 'cleo']],
    ['by the default collation', filter(prop('FN', match('ADA', 'collation="default"'))), ['ada', 'cleo']],
    ['by a parameter', filter(prop('TEL', '<C:param-filter name="type"><C:text-match>fax</C:text-match></C:param-filter>')), ['ada']],
    ['by a parameter that is there', filter(prop('TEL', '<C:param-filter name="TYPE"/>')), ['ada', 'cleo']],
    [
      'by a parameter that is not',
      filter(prop('TEL', '<C:param-filter name="PREF"><C:is-not-defined/></C:param-filter>')),
      ['ada', 'cleo'],
    ],
    ['by several conditions of one property, all of them', filter(prop('FN', match('ada') + match('quill'), 'test="allof"')), ['ada']],
    ['by several conditions of one property, any of them', filter(prop('FN', match('quill') + match('bert'))), ['ada', 'bert']],
    ['by several properties, any of them', filter(prop('FN', match('quill')) + prop('EMAIL', match('bert@'))), ['ada', 'bert']],
    ['by several properties, all of them', filter(prop('FN', match('ada')) + prop('TEL', match('916')), 'test="allof"'), ['cleo']],
    ['as older programs ask whether a property is there', filter(prop('FN', '<C:is-defined/>')), everyone],
  ])('%s', async (_title, given, expected) => {
    expect(await find(given)).toEqual(expected)
  })

  test('up to a limit, and says that there are more', async () => {
    const limit = '<C:limit><C:nresults>2</C:nresults></C:limit>'
    const found = await find('', limit)
    expect([found.length, found.includes('more')]).toEqual([3, true])
    expect(await find(filter(prop('EMAIL', '')), limit)).toEqual(['ada', 'bert'])
    await expect(find('', '<C:limit><C:nresults>0</C:nresults></C:limit>')).rejects.toThrow('nresults')
  })
})

describe('a query is refused', () => {
  test.each([
    ['an unknown collation', filter(prop('FN', match('x', 'collation="i;klingon"'))), 'C:supported-collation'],
    ['the name of a method of objects as a collation', filter(prop('FN', match('x', 'collation="constructor"'))), 'C:supported-collation'],
    ['an unknown way to match', filter(prop('FN', match('x', 'match-type="sounds-like"'))), 'C:supported-filter'],
    ['an unknown combination', filter(prop('FN', match('x')), 'test="oneof"'), 'C:supported-filter'],
    ['thousands of conditions', filter(prop('FN', match('x').repeat(300))), 'C:supported-filter'],
  ])('with %s', async (_title, given, condition) => {
    await expect(find(given)).rejects.toThrow(`<${condition}/>`)
  })

  test('for another report', async () => {
    const report = phone.report(`${phone.home}all-staff/`, '<D:expand-property/>')
    await expect(report).rejects.toThrow('<D:supported-report/>')
    await expect(phone.report('/dav/', '<D:sync-collection/>')).rejects.toThrow('<D:supported-report/>')
  })
})
