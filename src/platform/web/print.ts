import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Paper is white: a page in dark colors prints in light ones. */
export const printInLightColors = (): void => {
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

/** Whether the page is being put on paper just now: a list that draws only what is near the window then draws all. */
export const useIsPrinting = (): boolean => {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes its picture as soon as the listeners are through.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}
