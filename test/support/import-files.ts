import { writeXlsx } from 'hucre/xlsx'

import { toLetters } from './new-records.ts'

type Cells = (string | number | Date | null)[][]

const toBlob = (text: string): Blob => new Blob([text])
export const toXlsx = async (
  ...sheets: { name: string; rows: Cells; merges?: { startRow: number; startCol: number; endRow: number; endCol: number }[] }[]
): Promise<Blob> => new Blob([Buffer.from(await writeXlsx({ sheets }))])

/** A state's directory: semicolons, a title, capitals, a place in one cell, lost zeros, a total. */
export const stateDirectory = (): Blob =>
  toBlob(
    [
      'OHIO DEPARTMENT OF EDUCATION;;;;;;;;',
      'Community schools as of 06/30/2026;;;;;;;;',
      '',
      'IRN;Organization Name;Operational Status;Mailing Address;City, State, Zip;Telephone;;GSLO;GSHI',
      '000236;BUCKEYE PREPARATORY;Open/Operational;1414 GAULT STREET;COLUMBUS, OH 43205-2217;(614) 300-3685;;KG;08',
      '000311;LAKE ERIE ACADEMY;Open/Operational;2740 W CENTRAL AVE;TOLEDO, OH 43606;419.475.6620 x12;;KG;06',
      '000557;OLD FORT COLLEGIATE;Closed 06/2024;P.O. Box 12;LIMA, OH 45801;(419) 555-01;;09;12',
      '009122;BUCKEYE PREPARATORY;Open/Operational;9 RIVER RD;DAYTON, OH 45402;937-555-0123;;PK;05',
      'Total: 4 schools;;;;;;;;',
    ].join('\r\n'),
  )

/** An export of an HR system: UTF-16, a name in one column, titles and locations in its own words. */
export const hrExport = (count = 5): Blob => {
  const people = Array.from(
    { length: Math.max(0, count - 5) },
    (_, at) =>
      `E${2000 + at}\t"Person, Test${toLetters(at)}"\tTeacher\tnowhere\tp${at}@school.test\t555-01${String(at % 100).padStart(2, '0')}\t07/01/2020`,
  )
  const text = [
    'Worker ID\tWorker Name\tJob Profile\tLocation Description\tWork Contact: Work Email\tWork Phone\tHire Date',
    'E1001\t"Rivera, Maria"\tPrincipal\t014 - Lodi Resource Center\tmrivera@school.test\t(209) 555-0142 ext. 7\t07/01/2019',
    'E1002\t"OKAFOR, BEN"\tPrincipal - Elementary\tGalt RC\tbokafor@school.test\t2095550143\t43647',
    'E1003\t"de la Cruz, Ana María"\tLead Teacher III\tLodi Resource Center\tana@school\t\t07/01/2021',
    'E1004\t"O\'Brien, Pat, Jr."\tVice Principal\tLodi Resource Center\tpobrien@school.test\t209-555-0145\t07/01/2022',
    'E1005\t"Nguyen, Linh"\tRegistrar\tGalt RC\tMRIVERA@school.test\t209-555-0146\t07/01/2023',
    ...people,
  ].join('\r\n')
  return new Blob([new Uint8Array([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
}

/** A hand-kept workbook: merged titles, a note on another sheet, two phones in a cell, groups and a total between the rows. */
export const handKeptSites = (): Promise<Blob> =>
  toXlsx(
    { name: 'READ ME', rows: [['Ask Dana before changing anything here!'], ['Last updated 3/4']] },
    {
      name: 'Centers',
      rows: [
        ['OUR CENTERS', null, null, null, null, null, null],
        ['as of this week', null, null, null, null, null, null],
        [null, null, null, null, null, null, null],
        ['Center', 'What is it', 'Run by', 'Street Address', 'City / State / Zip', 'Phone(s)', 'Notes'],
        ['NORTH', null, null, null, null, null, null],
        [
          'Lodi',
          'Learning center',
          'Harbor Charter',
          '1420 W Kettleman Ln',
          'Lodi, CA 95242',
          '209-555-0100 / 209-555-0101',
          'key at desk',
        ],
        ['Galt', 'Learning center', 'Harbor', '10 C St', 'Galt CA 95632', '(209) 555-0110 or (209) 555-0111', null],
        ['SOUTH', null, null, null, null, null, null],
        ['Warehouse', 'Distribution', 'Harbor Charter', '77 Dock Rd', 'Fresno, CA 93650', 5595550120, null],
        ['Total', 3, null, null, null, null, null],
      ],
      merges: [
        { startRow: 0, startCol: 0, endRow: 0, endCol: 6 },
        { startRow: 1, startCol: 0, endRow: 1, endCol: 6 },
      ],
    },
  )

/** A spreadsheet of charters without codes: a byte order mark, an empty column, a date as text, a brand. */
export const chartersSheet = (): Blob =>
  toBlob(
    `\uFEFF${[
      'Charter,Short name,,CMO,Status,Main phone,Website,Students,Grade span,Renewal',
      'Harbor Charter,HC,,Bright Path,Open,(916) 555-0101,harbor.example.org,412,TK-8,July 2027',
      'Summit Charter,SC,,Bright Path,Coming soon,916.555.0102,https://summit.example.org,,K–5,',
      '"Valley, The Charter",VTC,,,Temporarily closed,916-555-0103,,1,9-12,',
    ].join('\n')}`,
  )

/** A directory of many rows, in the columns of the federal one. */
export const largeDirectory = (count: number): Blob =>
  toBlob(
    [
      'NCES_ID,SCHOOL_NAME,STATUS,STREET,CITY,STATE,ZIP,PHONE,GRADES',
      ...Array.from(
        { length: count },
        (_, at) =>
          `06${String(at).padStart(10, '0')},School ${at},Open,${at} Main St,Lodi,CA,95240,209-555-${String(at % 10_000).padStart(4, '0')},KG-08`,
      ),
    ].join('\n'),
  )
