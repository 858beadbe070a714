const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const LAST_GRADE = 12
const toGrade = (month: number): string => String(month).padStart(2, '0')

/**
 * Reads grade levels, which spreadsheets turn into dates: 6-8 becomes June 8, as a day or shown as `8-Jun`. The result has two digits each
 * (`06-08`); any other text is unchanged.
 */
export const readGrades = (text: string): string => {
  const [, isoMonth, isoDay] = /^\d{4}-(\d\d)-(\d\d)(?:T00:00:00.*)?$/.exec(text) ?? []
  const [, shownDay, shownMonth = ''] = /^(\d{1,2})-([a-z]{3})$/i.exec(text) ?? []
  const month = isoMonth === undefined ? MONTHS.indexOf(shownMonth.toLowerCase()) + 1 : Number(isoMonth)
  const day = Number(isoDay ?? shownDay)
  return month >= 1 && day >= 1 && day <= LAST_GRADE ? `${toGrade(month)}-${toGrade(day)}` : text
}
