#include <sqlite3.h>

// Swift cannot call variadic functions.

// Makes the next VACUUM empty a database, however damaged it is.
static inline int magpie_sqlite3_reset_database(sqlite3 *database, int is_on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, is_on, (int *)0);
}

// Leaves what is in the log there when the connection closes.
static inline int magpie_sqlite3_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
