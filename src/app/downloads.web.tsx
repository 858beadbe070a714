import { SheetsCard } from '../features/changing/sheets/web/SheetsCard.tsx'
import { DownloadsPage } from './exports/web/DownloadsPage.tsx'

/** `/downloads`, with the workbooks to edit. */
export const Downloads = () => <DownloadsPage sheets={<SheetsCard />} />
