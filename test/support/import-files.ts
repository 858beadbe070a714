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

/** A state's directory with counties, districts, the principal in two columns, and closed schools. */
export const stateWithPrincipals = (): Blob =>
  toBlob(
    [
      'LEA Code\tBuilding Code\tOfficial Name\tCounty Name\tDistrict Name\tSY Status\tPhysical Address\tCity\tSt\tZip Code\tPhone #\tPrincipal First Name\tPrincipal Last Name\tPrincipal Email\tGrades Offered\tYear Opened',
      '33000\t08801\tGRAND RIVER ACADEMY\tKent\tGrand Rapids\tOpen-Active\t1940 Lake Dr SE\tGrand Rapids\tMI\t49506\t6164590330\tDANA\tVANDERMEER\tdvander@river.test\tK-8\t2006',
      '33001\t08802\tGRAND RIVER HIGH\tKent\tGrand Rapids\tOpen-Active\t1950 Lake Dr SE\tGrand Rapids\tMI\t49506\t6164590331\tDANA\tVANDERMEER\tdvander@river.test\t9-12\t2009',
      '33002\t08803\tOLD MILL SCHOOL\tIonia\tIonia\tClosed\t12 Mill St\tIonia\tMI\t48846\t6165270100\t\t\t\tK-5\t1999',
    ].join('\n'),
  )

/** A workbook of a state: numbers for codes and ZIP codes, the name of the leader in one column, a date of the sheet above. */
export const stateWorkbook = (): Promise<Blob> =>
  toXlsx({
    name: 'Directory',
    rows: [
      ['Charter school directory, updated 10/1/2026', null, null, null, null, null, null, null, null, null, null],
      [
        'Campus ID',
        'Campus Name',
        'Campus Status',
        'Street',
        'City/Town',
        'State',
        'Zip',
        'Main Line',
        'School Leader',
        'Enrollment',
        'Charter?',
      ],
      [227816001, 'Star Prep Austin', 'Active', '2301 Airport Blvd', 'Austin', 'Texas', 78722, 5125550110, 'Ruiz, Elena', 412, 'Yes'],
      [227816002, 'Star Prep Waco', 'Under Construction', '80 Elm Ave', 'Waco', 'Texas', 76701, '254-555-0120 ext 4', 'Tom Beck', 0, 'Yes'],
      [227999001, 'Waco ISD High', 'Active', '1 Main St', 'Waco', 'Texas', 76702, 2545550130, 'Ann Lee', 900, 'No'],
    ],
  })

/** Two exports of HR systems: a name in one column with the last name first, and in two in another order, with codes. */
export const hrWithFullNames = (): Blob =>
  toBlob(
    [
      'Employee Roster Report,,,,,,',
      'File #,Payroll Name,Job Title Description,Worker Category Description,Home Department Description,Location Description,Work Email',
      '000417,"Hill, Gwen",Principal,Full Time,Instruction,Lodi Resource Center,ghill@school.test',
      '000418,"Park, Jin-Soo",Custodian,Part Time,Operations,Lodi Resource Center,',
      '000419,"O\'Neil, Sara M",Registrar,Full Time,Office,Galt Resource Center,soneil@school.test',
    ].join('\r\n'),
  )
export const hrWithTwoNames = (): Promise<Blob> =>
  toXlsx({
    name: 'Export',
    rows: [
      ['Surname', 'Given name', 'Emp No.', 'Position', 'Worksite', 'E-mail', 'Cell', 'Employee Type', 'Start', 'Active?'],
      ['ABREU', 'LUIS', 'A-0091', 'Asst. Principal', 'Galt RC', 'labreu@school.test', '(209) 555-0161', 'Regular', 45_474, 'Y'],
      ['Chan', 'Mei', 'A-0092', 'Teacher', 'Lodi RC', 'mchan@school.test', 2_095_550_162, 'Substitute', 45_840, 'Y'],
    ],
  })

/** Two lists of sites kept by hand. */
export const sitesWithTotals = (): Promise<Blob> =>
  toXlsx({
    name: 'Sheet1',
    rows: [
      ['Learning Center List', null, null, null, null, null],
      [null, null, null, null, null, null],
      ['LC Name', 'Address', 'Phone 1 / Phone 2', 'Fax', 'Site #', 'Open?'],
      ['Elk Grove', '9700 Elk Grove Blvd, Elk Grove, CA 95624', '916-555-0170\n916-555-0171', '916-555-0179', '0412', 'Open'],
      [null, null, null, null, null, null],
      ['Yuba City', '1100 Gray Ave Suite B, Yuba City, CA 95991', '(530) 555-0180; (530) 555-0181', null, '0413', 'Closed'],
      [null, null, null, null, null, null],
      ['TOTAL SITES: 2', null, null, null, null, null],
    ],
    merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 5 }],
  })
export const sitesWithSuites = (): Blob =>
  toBlob(
    [
      ';;;;;;;;',
      'Office / Center;Type;Street;Suite;Town;ST;ZIP;Tel.;Contact',
      'Boston Office;Admin office;8 Beacon St;400;Boston;MA;2108;617 555 0190;Kim',
      'Storage;Warehouse;20 Dock Rd;;Lowell;MA;1850;978.555.0191;Kim',
      '2 sites;;;;;;;;',
    ].join('\n'),
  )

/** Two spreadsheets of charters from a browser. */
export const chartersWithDates = (): Blob =>
  toBlob(
    `\uFEFF${[
      'School,CDS Code,Authorizer,Term ends,Budget,Enrolled,Phone,URL,Open/Closed',
      'Delta Charter,34 67314 0123456,Elk Grove USD,6/30/2028,"$4,120,500","1,204",(916) 555-0195 x2,www.delta.test,Open',
      'Sierra Charter,34673140123457,Elk Grove USD,7/1/2027,"$980,000",310,916-555-0196,https://sierra.test/home,Closed',
    ].join('\r\n')}`,
  )
export const chartersWithNetworks = (): Blob =>
  toBlob(
    [
      'Charter Name,Network,Charter #,Grades,# of Students,Leader,Leader Email,Approved on',
      'North Star,Bright Path,0417,TK - 5,188,Ana Ruiz,aruiz@star.test,3/14/2019',
      'South Star,Bright Path,0418,6 - 8,204,Bo Li,bli@star.test,3/14/2019',
    ].join('\n'),
  )

/** An export of a student information system, with day numbers and booleans in words. */
export const sisExport = (): Promise<Blob> =>
  toXlsx({
    name: 'Sites',
    rows: [
      ['SIS Site Name', 'Site', 'Site ID', 'Active Date', 'Inactive Date', 'Summer', 'Online'],
      ['Lodi Day', 'Lodi Resource Center', 101, 45_474, null, 'Yes', 'no'],
      ['Lodi Online', 'Lodi Resource Center', 102, '7/1/2025', 46_203, 'N', 'TRUE'],
    ],
  })

/** A staff list in the words of one office, of which no header is known. */
export const rosterWithOwnWords = (): Promise<Blob> =>
  toXlsx(
    { name: 'Cover', rows: [['Do not distribute']] },
    {
      name: 'Roster',
      rows: [
        ['BRIGHT PATH NETWORK - ROSTER', null, null, null, null, null],
        ['printed 11/28/2026', null, null, null, null, null],
        [null, null, null, null, null, null],
        ['Ref.', 'Staffer', 'What they do', 'Based at', 'Reach at', '@ work', 'FTE'],
        ['BP-10', 'ALVAREZ, Ana M.', 'Principal', '001 Natomas Center', '(916) 555-1000', 'ana@path.test', 1],
        ['BP-11', 'NG, Ben', 'Student Relations Mgr', '002 Elk Grove Hub', '(916) 555-1001', 'ben@path.test', 1],
        ['BP-12', 'Ochoa, JD', 'Custodian', '001 Natomas Center', '(916) 555-1002', 'jd@path.test', 1],
        ['BP-13', 'TRAN, Rosa', 'School Counselor II', '001 Natomas Center', '(916) 555-1003', 'rosa@path.test', 1],
        ['Headcount: 4', null, null, null, null, null],
      ],
      merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 5 }],
    },
  )

/** A list of charters in the words of one office. */
export const chartersWithOwnWords = (): Blob =>
  toBlob(
    `\uFEFF${[
      'School name,Nickname,Operator,State of charter,Tel,Head count,Grades served,Charter No.',
      'Juniper Arts Charter,JAC,Bright Path,Operating,916-555-0190,"1,204",K-8,0417',
      'Cedar Tech Charter,CTC,Bright Path,Opening fall 2027,(916) 555-0191,,9-12,0418',
      'Old Mill Charter,OMC,Mill Schools,Surrendered 2024,916.555.0192,88,K-5,0399',
    ].join('\n')}`,
  )
