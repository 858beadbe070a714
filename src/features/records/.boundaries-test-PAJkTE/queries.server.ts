sql`select 1`
db.deleteFrom(x)
deleteInBatches(db)
sql<T>`update ${x} set y = 1`
