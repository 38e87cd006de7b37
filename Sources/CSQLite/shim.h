#include <sqlite3.h>

// Variadic, which Swift cannot call: makes the next VACUUM empty a database, however damaged it is.
static inline int magpie_sqlite3_reset_database(sqlite3 *database, int is_on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, is_on, (int *)0);
}
