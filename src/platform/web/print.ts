import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Paper is white, so a page in dark mode prints in light colors. */
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

/** Whether the page is being printed: virtualized lists then render everything. */
export const useIsPrinting = (): boolean => {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes its snapshot as soon as the listeners return.
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
