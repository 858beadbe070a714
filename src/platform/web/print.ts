/** Paper is white: a page in dark colours prints in light ones. */
export const printInLight = (): void => {
  const page = document.documentElement.dataset
  let before: string | undefined
  addEventListener('beforeprint', () => {
    before = page['mantineColorScheme']
    page['mantineColorScheme'] = 'light'
  })
  addEventListener('afterprint', () => {
    page['mantineColorScheme'] = before
  })
}
