import { DownloadsPage } from '../features/exchange/exports/web/DownloadsPage.tsx'
import { SheetsCard } from '../features/exchange/sheets/web/SheetsCard.tsx'

/** `/downloads`, with the workbooks to edit. */
export const Downloads = () => <DownloadsPage sheets={<SheetsCard />} />
